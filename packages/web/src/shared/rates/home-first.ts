const HOME_CODE = "234";

/** @returns the rates in their order, Nigeria's before all: hardly anybody looks for another country. */
export function homeFirst<Rate extends { code: string }>(rates: readonly Rate[]): Rate[] {
  const isHome = ({ code }: Rate): boolean => code === HOME_CODE;
  return [...rates.filter(isHome), ...rates.filter((rate) => !isHome(rate))];
}
