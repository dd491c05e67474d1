import { PROBLEMS } from './problem.js';
import type { RouteSpec } from './route.js';

const STYLE = `
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .35rem .75rem .35rem 0; vertical-align: top; }
  tr { border-top: 1px solid #8884; } code { font: 13px ui-monospace, monospace; } :root { color-scheme: light dark; }
`;

/** A page that lists every route and every error code. It loads nothing from anywhere. */
export function documentationPage(routes: readonly RouteSpec[]): string {
  const routeRows = routes.map(
    (route) =>
      `<tr><td><code>${route.method}</code></td><td><code>${escaped(route.path)}</code></td>` +
      `<td><code>${route.access}</code></td><td>${escaped(route.summary)}</td></tr>`,
  );
  const problemRows = Object.entries(PROBLEMS).map(
    ([code, { status, title }]) =>
      `<tr><td><code>${code}</code></td><td>${status}</td><td>${escaped(title)}</td></tr>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Countersign API</title><style>${STYLE}</style>
<h1>Countersign API</h1>
<p>The schemas of every body are in <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1).</p>
<h2>Routes</h2>
<table><tr><th>Method<th>Path<th>Scope<th>What it does</tr>${routeRows.join('')}</table>
<h2>Errors</h2>
<p>Every error is an RFC 9457 document with one of these codes.</p>
<table><tr><th>Code<th>Status<th>Meaning</tr>${problemRows.join('')}</table></html>`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}
