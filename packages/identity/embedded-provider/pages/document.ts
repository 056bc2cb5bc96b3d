import { html, type Html } from './html.ts'

interface DocumentContent {
  title: string
  /** Additional content of the page's head: its style. */
  head: Html
  body: Html
}

/** A whole page for people, in the layout that all of them share. */
export function htmlDocument({ title, head, body }: DocumentContent): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Turnpike</title>
        <link rel="icon" href="data:," />
        ${head}
      </head>
      <body>
        <main>
          <p class="brand">Turnpike</p>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `.text
}
