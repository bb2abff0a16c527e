import Link from "next/link";

export const metadata = { title: "Orchard", description: "An orchard with a shop" };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <nav>
          <Link href="/">Home</Link> <Link href="/varieties">Varieties</Link> <Link href="/about">About</Link>
        </nav>
        {children}
      </body>
    </html>
  );
}
