import { createKey, tool, tools, type Tool } from '@turnpike/mcp'
import * as z from 'zod'
import type { Context } from '../../context.ts'
import { writeLastKey } from '../../files/last-key.ts'

/** The tool that creates a key can also cache it on this machine. */
function createAndCacheKey({ directory }: Pick<Context, 'directory'>): Tool {
  return tool({
    ...createKey,
    input: {
      ...createKey.input,
      cache: z
        .boolean()
        .default(false)
        .describe(
          'Whether `chat`, and turnpike on this machine, use it from now on in place of the present one',
        ),
    },
    async run(api, { cache, ...input }, call) {
      const answer = await createKey.run(api, input, call)
      if (cache) await writeLastKey(directory, String(answer.value.raw))
      return answer
    },
  })
}

/** In the order in which clients show them. */
export function toolsFor(context: Pick<Context, 'directory'>): readonly Tool[] {
  return tools.map((one) => (one.name === createKey.name ? createAndCacheKey(context) : one))
}
