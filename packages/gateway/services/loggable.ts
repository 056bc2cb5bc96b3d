/** Shorter texts of a request reveal nothing, and occur in many errors by chance. */
const shortestText = 6
/** A vendor's message that shares this many characters with a text quotes it. */
const windowCharacters = 16
const windowStep = 8
/** Longer requests are not compared: a failing vendor must not block the event loop for milliseconds. */
const mostCompared = 256 * 1024
const status = /^upstream status \d+/

/**
 * The part of a vendor's message that the log may keep. Vendors quote prompts in errors, for example when
 * they reject a prompt's content, and our log must contain no prompt.
 * @param texts of the request; undefined if none was read, so nothing can be quoted
 */
export function loggable(message: string, texts: Iterable<string> | undefined): string {
  if (texts === undefined || message === '') return message
  const plain = decodeEscapes(message)
  let compared = 0
  for (const text of texts) {
    if (text.length < shortestText) continue
    compared += text.length
    if (compared > mostCompared || repeats(plain, text))
      return `${status.exec(message)?.[0] ?? 'what it said'}: withheld, since it may quote the request`
  }
  return message
}

function repeats(message: string, text: string): boolean {
  if (text.length < windowCharacters + windowStep) return message.includes(text.trim())
  for (let at = 0; at + windowCharacters <= message.length; at += windowStep)
    if (text.includes(message.slice(at, at + windowCharacters))) return true
  return false
}

/** Decodes JSON's escapes, as in errors that quote JSON. */
function decodeEscapes(message: string): string {
  return message
    .replaceAll(/\\+u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\+n/g, '\n')
    .replaceAll(/\\+t/g, '\t')
    .replaceAll(/\\+(["'/])/g, '$1')
}
