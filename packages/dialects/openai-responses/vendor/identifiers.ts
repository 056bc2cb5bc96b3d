import { createHash } from 'node:crypto'
import { withoutThought } from '../../requests/thoughts-in-ids.ts'

/** The longest user name and call id that OpenAI accepts, in characters. */
const maxCharacters = 64

/** A longer one is sent as its SHA-256, which is always the same for the same user. */
export function fitUser(user: string | undefined): string | undefined {
  return user === undefined || user.length <= maxCharacters ? user : sha256(user)
}

/** Shortens the ids of other vendors; a call and its output keep the same id. */
export function fitCallId(id: string): string {
  const own = withoutThought(id)
  return own.length <= maxCharacters ? own : `call_${sha256(own).slice(0, 32)}`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
