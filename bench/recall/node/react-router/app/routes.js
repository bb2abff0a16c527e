import { index, route } from "@react-router/dev/routes";

export default [
  index("routes/home.jsx"),
  route("trips", "routes/trips.jsx"),
  route("trips/:id", "routes/trip.jsx"),
  route("ports", "routes/ports.jsx"),
  route("ports/:id", "routes/port.jsx"),
  route("guides", "routes/guides.jsx"),
  route("guides/:id", "routes/guide.jsx"),
  route("contact", "routes/contact.jsx"),
  route("timetable", "routes/timetable.jsx"),
];
