import type { ModelRequest } from '@turnpike/protocol'

/** Most vendors show nothing of what was thought; compatible ones may show all of it. */
export function unlessShown({ reasoning }: ModelRequest, _traits: unknown, seen: boolean): boolean {
  return !seen && reasoning?.effort !== 'none'
}

/** Where all of it is shown: as long as it is not streamed, nobody has seen any. */
export function unlessStreamed(request: ModelRequest, traits: unknown, seen: boolean): boolean {
  return !request.stream && unlessShown(request, traits, seen)
}
