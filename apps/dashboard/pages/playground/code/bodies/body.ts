import type { Attachment } from '../../conversation/turn.ts'

/* Shared by the request bodies of all APIs. */

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json | undefined }
export type Body = Record<string, Json>

export function withoutUndefined(members: Record<string, Json | undefined>): Body {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  )
}

/** Undefined if it has no members. */
export function unlessEmpty(body: Body): Body | undefined {
  return Object.keys(body).length === 0 ? undefined : body
}

export function metadataOf(tags: readonly string[]): Body | undefined {
  return tags.length === 0 ? undefined : { tags: [...tags] }
}

/** The tags that can be in a header, for APIs whose body has no place for tags, such as Google's. */
export function headerTags(tags: readonly string[]): string[] {
  return tags.filter((tag) => /^[ -+\--~]+$/.test(tag))
}

/** A text file as a part of the question: no API has a file part that all models can read. */
export function textOf({ name, data }: Attachment): string {
  return `${name}:\n\n${data}`
}

/** The data of a `data:` URL. */
export function base64Of({ data }: Attachment): string {
  return data.slice(data.indexOf(',') + 1)
}

/** The arguments of a tool call, which the model wrote; anything but a JSON object becomes an empty one. */
export function argumentsOf(text: string): Body {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : {}
  } catch {
    // The model broke off within it, or wrote something else.
    return {}
  }
}
