import React from "react";

export default function About() {
  return (
    <main>
      <h1>About the museum</h1>
      <p>The museum is open on Sundays, and on every day on which it rains.</p>
    </main>
  );
}
