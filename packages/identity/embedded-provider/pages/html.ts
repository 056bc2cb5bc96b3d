/** Text that is already HTML: `html` inserts it unchanged. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Html | undefined | readonly Html[]

/** Builds HTML; every value is escaped unless it is `Html`. Undefined is omitted. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  let text = parts[0]!
  for (const [index, value] of values.entries()) text += textOf(value) + parts[index + 1]!
  return new Html(text)
}

function textOf(value: Value): string {
  if (value === undefined) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(({ text }) => text).join('')
  return escape(String(value))
}

const characters: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => characters[character]!)
}
