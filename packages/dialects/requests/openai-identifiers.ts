import { createHash } from 'node:crypto'
import { withoutThought } from './thoughts-in-ids.ts'

/** The longest user name that OpenAI accepts, in characters. */
const maxUserLength = 64

/**
 * Claude Code's user is 190 characters of JSON, which OpenAI rejects ("Invalid 'user': string too long.
 * Expected a string with maximum length 64"). A longer one is sent as its SHA-256, which is always the same
 * for the same user.
 */
export function fitUser(user: string | undefined): string | undefined {
  return user === undefined || user.length <= maxUserLength ? user : sha256(user)
}

/** Shortens a call's id, whichever vendor made it; a call and its result keep the same id. */
export function fitCallId(id: string, maxLength: number): string {
  const own = withoutThought(id)
  return own.length <= maxLength ? own : `call_${sha256(own).slice(0, 32)}`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
