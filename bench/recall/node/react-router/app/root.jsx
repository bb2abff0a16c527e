import { Link, Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";

export function Layout({ children }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>Island Ferries</title>
        <Meta />
        <Links />
      </head>
      <body>
        <header>
          <Link to="/">Island Ferries</Link> <Link to="/trips">Trips</Link> <Link to="/ports">Ports</Link>
        </header>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}
