/** The value of a JSON text; undefined where it is none: what it is then, whoever needed it says. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // Not everybody needs it: the page of a proxy in a vendor's place is read as text.
    return undefined
  }
}
