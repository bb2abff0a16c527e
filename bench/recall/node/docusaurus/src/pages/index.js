import Link from "@docusaurus/Link";
import Layout from "@theme/Layout";
import React from "react";

export default function Home() {
  return (
    <Layout title="Loom">
      <main>
        <h1>Loom</h1>
        <p>Loom weaves pages from notes.</p>
        <Link to="/docs/guide/topic-1">Start with the guide</Link>
      </main>
    </Layout>
  );
}
