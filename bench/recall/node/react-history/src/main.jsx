import React, { lazy, Suspense, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Link, Route, Routes, useNavigate, useParams } from "react-router";

const About = lazy(() => import("./about.jsx"));

function useItems() {
  const [items, setItems] = useState([]);
  useEffect(() => {
    fetch("/api/objects.json").then((answer) => answer.json()).then(setItems);
  }, []);
  return items;
}

function Home() {
  const navigate = useNavigate();
  return (
    <main>
      <h1>Museum of small things</h1>
      <p>Objects that fit into a hand, collected over a hundred years by people who lived in the same street.</p>
      <button onClick={() => navigate("/rooms/1")}>Walk through the rooms</button>
    </main>
  );
}

function Objects() {
  return (
    <main>
      <h1>Objects</h1>
      <ul>
        {useItems().map((one) => (
          <li key={one.id}>
            <Link to={`/objects/${one.id}`}>{one.title}</Link>
          </li>
        ))}
      </ul>
    </main>
  );
}

function Item() {
  const { id } = useParams();
  const item = useItems().find((one) => one.id === id);
  useEffect(() => {
    if (item) document.title = item.title;
  }, [item]);
  return item ? (
    <main>
      <h1>{item.title}</h1>
      <p>{item.text}</p>
    </main>
  ) : null;
}

function Room() {
  const number = Number(useParams().number);
  const navigate = useNavigate();
  useEffect(() => {
    document.title = `Room ${number}`;
  }, [number]);
  if (!(number >= 1 && number <= 8)) return <Missing />;
  return (
    <main>
      <h1>Room {number}</h1>
      <p>Room {number} is lit by one window and holds the objects found in house {number * 3}.</p>
      {number < 8 && <button onClick={() => navigate(`/rooms/${number + 1}`)}>Next room</button>}
    </main>
  );
}

function Missing() {
  return <h1>404: there is no such page</h1>;
}

createRoot(document.getElementById("root")).render(
  <BrowserRouter>
    <nav>
      <Link to="/">Home</Link> <Link to="/objects">Objects</Link> <Link to="/about">About</Link>
    </nav>
    <Suspense fallback={null}>
      <Routes>
        <Route path="/" element={<Home />} />
        <Route path="/objects" element={<Objects />} />
        <Route path="/objects/:id" element={<Item />} />
        <Route path="/rooms/:number" element={<Room />} />
        <Route path="/about" element={<About />} />
        <Route path="*" element={<Missing />} />
      </Routes>
    </Suspense>
  </BrowserRouter>,
);
