import { lazyRouteComponent, type RouteComponent } from "@tanstack/react-router";

/** Where the module of a page lies, by the name of its component. */
type PageList<N extends string> = { readonly [name in N]: () => Promise<Record<string, RouteComponent>> };

/**
 * @param fetchList fetches the list of pages, which lies in a file of its own that no visitor of the public pages carries.
 * @returns what makes a route's component from a name in that list.
 */
export function createLazyPage<N extends string>(fetchList: () => Promise<PageList<N>>): (name: N) => RouteComponent {
  return (name) => {
    const fetchPage = async (): Promise<Record<string, RouteComponent>> => await (await fetchList())[name]();
    return lazyRouteComponent(fetchPage, name);
  };
}
