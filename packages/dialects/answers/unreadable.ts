/** The beginning of an HTML page, sent by a proxy in front of the vendor. */
const page = /^\s*<(?:!doctype|\?xml|html|head|body|center|h1)/i
const maxPageCharacters = 200

/**
 * What the log may contain of a vendor's response that could not be read. It may be an answer's text, which
 * is never logged; a proxy's page may be.
 */
export function describeUnreadable(text: string): string {
  if (page.test(text)) return `a page: ${text.slice(0, maxPageCharacters)}`
  return text === '' ? 'nothing' : `${text.length} characters that begin with ${JSON.stringify(text[0])}`
}

/** The same of a parsed answer. */
export function describeAnswer(answer: unknown): string {
  return `answer: ${describeUnreadable(JSON.stringify(answer) ?? '')}`
}
