import { vendorKeyFields, type VendorKey } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command, flag, text } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { secretOf } from './secret-input.ts'

export default command({
  details: [
    "Requests for the provider's models use this key first. Reads the key from stdin, or prompts " +
      'for it without echo. Prints its id.',
  ],
  arguments: { provider: { kind: 'one', description: 'Such as openai or anthropic' } },
  options: {
    name: text('label', 'A label (default: default)'),
    noFallback: flag('Never fall back to the gateway’s keys, which cost credit'),
  },
  fields: vendorKeyFields,
  examples: [
    { does: 'Enter the key', line: 'turnpike vendor-keys add openai --name prod' },
    {
      does: 'From a file; never spend credit',
      line: 'turnpike vendor-keys add anthropic --no-fallback < key.txt',
    },
  ],
  async run(context, { provider, name, noFallback }) {
    const secret = await secretOf(context)
    const body = {
      provider,
      secret,
      ...(name !== undefined && { name }),
      ...(noFallback && { allow_fallback_to_shared: false }),
    }
    const made = await askAsUser<VendorKey>(context, { method: 'POST', path: '/api/v1/vendor-keys', body })
    const { bold } = context.output.messages.style
    context.output.done(
      `Added the key ${bold(oneLine(made.name))} (…${oneLine(made.last4)}) for ${made.provider}`,
    )
    return record(made, () => `${made.id}\n`)
  },
})
