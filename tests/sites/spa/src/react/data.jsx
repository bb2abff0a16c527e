// The newer form of React Router: a router object with a route table, given to RouterProvider.
import { createRoot } from "react-dom/client";
import { Link, Outlet, RouterProvider, createBrowserRouter, useNavigate } from "react-router-dom";

const Title = ({ text }) => <h1>{text}</h1>;

function Frame() {
  return (
    <>
      <nav>
        <Link to="/">Start</Link> <Link to="/guide">Guide</Link>
      </nav>
      <Outlet />
    </>
  );
}

function Home() {
  const navigate = useNavigate();
  return (
    <main>
      <h1>Home</h1>
      <div id="tour-card" style={{ cursor: "pointer" }} onClick={() => navigate("/tour")}>
        Take the tour
      </div>
    </main>
  );
}

const Guide = () => (
  <main>
    <h1>Guide</h1>
    <Link to="install">Installing</Link>
  </main>
);

const router = createBrowserRouter([
  {
    path: "/",
    element: <Frame />,
    children: [
      { index: true, element: <Home /> },
      { path: "guide", element: <Guide /> },
      { path: "guide/install", element: <Title text="Installing" /> },
      { path: "tour", element: <Title text="Tour" /> },
      { path: "team", children: [{ path: "history", element: <Title text="Our history" /> }] },
      { path: "users/:name", element: <Title text="A user" /> },
      { path: "*", element: <Title text="Nothing here" /> },
    ],
  },
]);

createRoot(document.getElementById("root")).render(<RouterProvider router={router} />);
