/** Tailwind is the one plugin. */
export default { plugins: { '@tailwindcss/postcss': {} } };
