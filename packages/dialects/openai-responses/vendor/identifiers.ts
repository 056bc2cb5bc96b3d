import { createHash } from 'node:crypto'
import { withoutThought } from '../../requests/thoughts-in-ids.ts'

/** Characters that OpenAI takes, of a user's name and of a call's. */
const maxCharacters = 64

/** A longer one goes as its SHA-256, always the same for the same user. */
export function fitUser(user: string | undefined): string | undefined {
  return user === undefined || user.length <= maxCharacters ? user : sha256(user)
}

/** A call and its output keep one identifier, however long another vendor's is. */
export function fitCallId(id: string): string {
  const own = withoutThought(id)
  return own.length <= maxCharacters ? own : `call_${sha256(own).slice(0, 32)}`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
