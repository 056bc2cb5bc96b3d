import { createHash } from 'node:crypto'

/** Mistral refuses any other form: "must be a-z, A-Z, 0-9, with a length of 9" (nearai/ironclaw#1241). */
const ownForm = /^[a-zA-Z0-9]{9}$/

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * The id of a call at Mistral. Its own ids are unchanged. Another vendor's become nine characters, always the
 * same for the same id, so that a call and its result match in every later request.
 */
export function mistralToolCallId(id: string): string {
  if (ownForm.test(id)) return id
  const hash = createHash('sha256').update(id).digest()
  let text = ''
  for (let at = 0; at < 9; at++) text += alphabet[hash.readUInt16BE(at * 2) % alphabet.length]!
  return text
}
