// A shop with React Router: links, clicks without href, a lazy view, parameters, and a route that nothing leads to.
import { Suspense, lazy } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Link, Navigate, Outlet, Route, Routes, useNavigate, useParams } from "react-router-dom";

const later = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const Reports = lazy(() => later(300).then(() => import("./reports.jsx")));

const View = ({ title, children }) => (
  <main>
    <h1>{title}</h1>
    {children}
  </main>
);

function Frame() {
  return (
    <>
      <nav>
        <Link to="/">Start</Link> <Link to="/about">About us</Link> <Link to="/products">Products</Link>{" "}
        <Link to="/reports">Reports</Link> <Link to="/old-about">About us, old address</Link>
      </nav>
      <Suspense fallback={<p>Loading</p>}>
        <Outlet />
      </Suspense>
    </>
  );
}

function Home() {
  const navigate = useNavigate();
  return (
    <View title="Home">
      <div id="contact-card" style={{ cursor: "pointer" }} onClick={() => navigate("/contact")}>
        Write to us
      </div>
      <span id="help-button" role="button" tabIndex={0} onClick={() => navigate("/help")}>
        Help
      </span>
      <button id="plain-button" type="button" onClick={() => navigate("/products/3")}>
        Our newest product
      </button>
    </View>
  );
}

const Products = () => (
  <View title="Products">
    <ul>
      <li>
        <Link to="/products/1">First</Link>
      </li>
      <li>
        <Link to="/products/2?colour=red">Second, in red</Link>
      </li>
    </ul>
  </View>
);

const Product = () => <View title={`Product ${useParams().id}`} />;

createRoot(document.getElementById("root")).render(
  <BrowserRouter>
    <Routes>
      <Route element={<Frame />}>
        <Route index element={<Home />} />
        <Route path="about" element={<View title="About" />} />
        <Route path="old-about" element={<Navigate to="/about" replace />} />
        <Route path="contact" element={<View title="Contact" />} />
        <Route path="help" element={<View title="Help" />} />
        <Route path="products" element={<Products />} />
        <Route path="products/:id" element={<Product />} />
        <Route path="reports" element={<Reports />} />
        <Route path="reports/yearly" element={<View title="Yearly report" />} />
        <Route path="press-kit" element={<View title="Press kit" />} />
        <Route path="*" element={<View title="Nothing here" />} />
      </Route>
    </Routes>
  </BrowserRouter>,
);
