export function HomePage() { return <main id="main">home</main>; }
