import { html, Html } from '@turnpike/identity'

/** Renders our descriptions: paragraphs, lists with `-`, `**strong**`, `code` and Markdown links. */
export function fromMarkdown(text: string): Html[] {
  return text.split(/\n{2,}/).map((block) => {
    if (!block.startsWith('- ')) return html`<p>${inline(block)}</p>`
    // An item continues on the next line unless that starts a new item.
    const items = block.slice(2).split('\n- ')
    return html`<ul>
      ${items.map((item) => html`<li>${inline(item)}</li>`)}
    </ul>`
  })
}

/** Renders markup within a line. */
export function inline(text: string): Html {
  const { text: plain } = html`${text}`
  return new Html(
    plain
      .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
      .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
      .replaceAll(/(https:\/\/[^\s<)]+[\w/])/g, '<a href="$1">$1</a>'),
  )
}
