import type { Attachment } from '../../conversation/turn.ts'

/* What the bodies of all APIs have in common. */

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json | undefined }
export type Body = Record<string, Json>

export function withoutUndefined(members: Record<string, Json | undefined>): Body {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  )
}

/** Undefined where it has no members. */
export function unlessEmpty(body: Body): Body | undefined {
  return Object.keys(body).length === 0 ? undefined : body
}

export function metadataOf(tags: readonly string[]): Body | undefined {
  return tags.length === 0 ? undefined : { tags: [...tags] }
}

/** Those that can stand in a header: Google's body has no place for tags. */
export function headerTags(tags: readonly string[]): string[] {
  return tags.filter((tag) => /^[ -+\--~]+$/.test(tag))
}

/** A text file as a part of the question: no API has a place for one that all models read. */
export function textOf({ name, data }: Attachment): string {
  return `${name}:\n\n${data}`
}

/** What is behind the head of a `data:` URL. */
export function base64Of({ data }: Attachment): string {
  return data.slice(data.indexOf(',') + 1)
}

/** A tool's arguments, which the model has written; what is no JSON object goes as an empty one. */
export function argumentsOf(text: string): Body {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : {}
  } catch {
    // The model broke off within it, or wrote something else.
    return {}
  }
}
