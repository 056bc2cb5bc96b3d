import { html, Html } from '@turnpike/identity'

/** Our own descriptions, which use paragraphs, lists with `-`, `**strong**`, `code` and links of Markdown. */
export function fromMarkdown(text: string): Html[] {
  return text.split(/\n{2,}/).map((block) => {
    const lines = block.split('\n')
    if (!lines.every((line) => line.startsWith('- '))) return html`<p>${inline(block)}</p>`
    return html`<ul>
      ${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}
    </ul>`
  })
}

/** The same within a line. */
export function inline(text: string): Html {
  const { text: plain } = html`${text}`
  return new Html(
    plain
      .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
      .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
      .replaceAll(/(https:\/\/[^\s<)]+[\w/])/g, '<a href="$1">$1</a>'),
  )
}
