export default function Contact() {
  return <main><h1>Contact</h1><p>Write to the harbour office.</p></main>;
}
