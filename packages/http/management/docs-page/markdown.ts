import { html, Html } from '@turnpike/identity'

/** Our own descriptions, which use paragraphs, lists with `-`, `**strong**`, `code` and links of Markdown. */
export function fromMarkdown(text: string): Html[] {
  return text.split(/\n{2,}/).map((block) => {
    if (!block.startsWith('- ')) return html`<p>${inline(block)}</p>`
    // An item goes on in the next line where that begins none of its own.
    const items = block.slice(2).split('\n- ')
    return html`<ul>
      ${items.map((item) => html`<li>${inline(item)}</li>`)}
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
