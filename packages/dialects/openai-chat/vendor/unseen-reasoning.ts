import type { ModelRequest } from '@turnpike/protocol'

/** Most vendors show no reasoning; compatible ones may show all of it. */
export function unlessShown({ reasoning }: ModelRequest, _traits: unknown, seen: boolean): boolean {
  return !seen && reasoning?.effort !== 'none'
}

/** For vendors that show all reasoning: nothing has been seen before it is streamed. */
export function unlessStreamed(request: ModelRequest, traits: unknown, seen: boolean): boolean {
  return !request.stream && unlessShown(request, traits, seen)
}
