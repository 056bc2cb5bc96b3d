import { readFileSync } from 'node:fs'
import { Html, html } from '@turnpike/identity'
import type { OpenapiDocument } from '../openapi/document-types.ts'
import { fromMarkdown, inline } from './markdown.ts'
import { operationSection, type PlacedOperation } from './operation-section.ts'
import { fieldTable, table } from './schema-table.ts'

/** The page's own style and script; nothing is loaded. */
export const style = readFileSync(new URL('style.css', import.meta.url), 'utf8')
export const script = readFileSync(new URL('search.js', import.meta.url), 'utf8')

/** Built as one string, since the page's policy contains the hashes of exactly these elements. */
const styleElement = new Html(`<style>${style}</style>`)
const scriptElement = new Html(`<script>${script}</script>`)

/** The operations of one tag. */
interface Part {
  name: string
  anchor: string
  description: string
  operations: PlacedOperation[]
}

/** Renders the document as one HTML page. Without JavaScript only the search is missing. */
export function docsPage(document: OpenapiDocument): string {
  const { info, components } = document
  const parts = partsOf(document)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${info.title} API</title>
        ${styleElement}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <nav aria-label="Contents">
          <p><a href="/">&larr; Dashboard</a></p>
          <p><strong>${info.title}</strong> ${info.version}</p>
          <p id="search-form" hidden>
            <label for="search">Search</label>
            <input id="search" type="search" autocomplete="off" aria-keyshortcuts="/" />
            <span id="found" role="status"></span>
          </p>
          <details id="contents" open>
            <summary>Contents</summary>
            ${parts.map(navigation)} ${schemaNavigation(components.schemas)}
          </details>
          <p><a href="/openapi.json">openapi.json</a></p>
          <p><a href="/llms.txt">For agents</a></p>
        </nav>
        <main id="content">
          <h1>${info.title} API</h1>
          ${fromMarkdown(info.description)} ${credentials(components.securitySchemes)}
          ${parts.map((part) => partSection(part, components))}
          <h2 id="schemas">Schemas</h2>
          ${Object.entries(components.schemas).map(([name, schema]) => schemaSection(name, schema))}
        </main>
        ${scriptElement}
      </body>
    </html> `.text
}

function partsOf({ tags, paths }: OpenapiDocument): Part[] {
  const placed = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  )
  return tags
    .map((tag) => ({
      ...tag,
      anchor: `part-${tag.name.toLowerCase()}`,
      operations: placed.filter(({ operation }) => operation.tags.includes(tag.name)),
    }))
    .filter(({ operations }) => operations.length > 0)
}

function navigation({ name, anchor, operations }: Part): Html {
  const items = operations.map(
    ({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
  )
  return html`<div class="part">
    <p><a href="#${anchor}">${name}</a></p>
    <ul>
      ${items}
    </ul>
  </div>`
}

/** There are too many schemas to browse, so only search results are shown. */
function schemaNavigation(schemas: OpenapiDocument['components']['schemas']): Html {
  const items = Object.keys(schemas).map(
    (name) => html`<li hidden><a href="#schema-${name}">${name}</a></li>`,
  )
  return html`<p><a href="#schemas">Schemas</a></p>
    <ul class="schemas">
      ${items}
    </ul>`
}

function partSection(
  { name, anchor, description, operations }: Part,
  components: OpenapiDocument['components'],
): Html {
  return html`<h2 id="${anchor}"><a href="#${anchor}">${name}</a></h2>
    <p>${inline(description)}</p>
    ${operations.map((operation) => operationSection(operation, components))}`
}

function credentials(schemes: Record<string, object>): Html {
  const rows = Object.entries(schemes).map(([name, scheme]) => {
    const { description } = scheme as { description: string }
    return html`<tr>
      <th scope="row"><code>${name}</code></th>
      <td>${inline(description)}</td>
    </tr>`
  })
  return html`<h2 id="credentials">Credentials</h2>
    ${table(rows)}`
}

function schemaSection(name: string, schema: Record<string, unknown>): Html {
  const { description } = schema
  return html`<section id="schema-${name}">
    <h3>${name}</h3>
    ${typeof description === 'string' ? fromMarkdown(description) : undefined}${fieldTable(schema)}
  </section>`
}
