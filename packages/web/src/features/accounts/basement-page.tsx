export function BasementPage() { return <main id="main">basement</main>; }
