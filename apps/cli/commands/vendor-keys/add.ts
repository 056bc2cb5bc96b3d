import { vendorKeyFields, type VendorKey } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command, flag, text } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { secretOf } from './secret-input.ts'

export const addVendorKey = command({
  details: [
    'Requests for models of the provider go to the vendor with this key first. The key is read from ' +
      'standard input, or typed in unseen. stdout is its id.',
  ],
  arguments: { provider: { kind: 'one', description: 'Such as openai or anthropic' } },
  options: {
    name: text('label', 'What you call it (default: default)'),
    noFallback: flag('Never ask the gateway’s own keys, for credit, in its place'),
  },
  fields: vendorKeyFields,
  examples: [
    { does: 'Type the key in', line: 'turnpike vendor-keys add openai --name prod' },
    {
      does: 'From a file, and never spend credit',
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
