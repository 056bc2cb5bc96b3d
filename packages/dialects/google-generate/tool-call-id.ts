import { thoughtMark } from '../requests/thoughts-in-ids.ts'

/**
 * Google matches calls and results by name and position and gives many calls no id, but expects a call's
 * thought signature back (https://ai.google.dev/gemini-api/docs/thought-signatures). OpenAI's clients send
 * back nothing but a call's id, so the id contains both. It has no characters that other vendors refuse in
 * ids. It may be longer than they accept, for which there is `withoutThought`.
 */
export interface GoogleCall {
  /** Google's own id, if it sent one. */
  googleId: string | undefined
  /** As Google wrote it: base64. */
  thoughtSignature: string | undefined
}

const ownPrefix = 'google_'
/** Prefix for a signature that the URL-safe alphabet would not restore unchanged. */
const textMark = 'text_'

/** @param place unique to the call, for a call without an id from Google */
export function formatToolCallId(call: GoogleCall, place: string): string {
  const { googleId, thoughtSignature } = call
  const plain = googleId !== undefined && !googleId.includes(thoughtMark)
  const head = plain ? `${ownPrefix}${googleId}` : `call_${place}`
  return thoughtSignature === undefined ? head : `${head}${thoughtMark}${packSignature(thoughtSignature)}`
}

/** What an id contains; nothing if it is another vendor's. */
export function parseToolCallId(id: string): GoogleCall {
  const at = id.indexOf(thoughtMark)
  const head = at === -1 ? id : id.slice(0, at)
  return {
    googleId: head.startsWith(ownPrefix) ? head.slice(ownPrefix.length) : undefined,
    thoughtSignature: at === -1 ? undefined : unpackSignature(id.slice(at + thoughtMark.length)),
  }
}

function packSignature(signature: string): string {
  const safe = signature.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  if (padBase64(safe) === signature && !safe.startsWith(textMark)) return safe
  return textMark + Buffer.from(signature, 'utf8').toString('base64url')
}

function unpackSignature(text: string): string {
  if (!text.startsWith(textMark)) return padBase64(text)
  return Buffer.from(text.slice(textMark.length), 'base64url').toString('utf8')
}

function padBase64(safe: string): string {
  const digits = safe.replaceAll('-', '+').replaceAll('_', '/')
  return digits.padEnd(Math.ceil(digits.length / 4) * 4, '=')
}
