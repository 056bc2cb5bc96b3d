/** How a page begins that a proxy before the vendor answered with. */
const page = /^\s*<(?:!doctype|\?xml|html|head|body|center|h1)/i
const maxPageCharacters = 200

/**
 * What the log may know of a vendor's words that could not be read. They may be an answer's text, which no
 * log keeps; a proxy's page is none.
 */
export function describeUnreadable(text: string): string {
  if (page.test(text)) return `a page: ${text.slice(0, maxPageCharacters)}`
  return text === '' ? 'nothing' : `${text.length} characters that begin with ${JSON.stringify(text[0])}`
}
