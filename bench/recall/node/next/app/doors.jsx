"use client";

import { useRouter } from "next/navigation";

const NAMES = ["visit", "harvest", "cider", "school", "history", "contact"];

export default function Doors() {
  const router = useRouter();
  return NAMES.map((name) => (
    <button key={name} onClick={() => router.push("/" + ["farm", name].join("/"))}>
      {name}
    </button>
  ));
}
