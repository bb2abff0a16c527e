"use client";

import Link from "next/link";
import { useEffect, useState } from "react";

export default function Varieties() {
  const [items, setItems] = useState([]);
  useEffect(() => {
    fetch("/data/varieties.json").then((answer) => answer.json()).then(setItems);
  }, []);
  return (
    <ul>
      {items.map((item) => (
        <li key={item.id}>
          <Link href={`/varieties/${item.id}`}>{item.title}</Link>
        </li>
      ))}
    </ul>
  );
}
