import { routeFields } from '@turnpike/api'
import { routeFor } from '../../api/routing.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, text } from '../../program/command.ts'
import { readAll } from '../../terminal/read-all.ts'
import { decisionText } from './decision-text.ts'

export default command({
  details: ['No model is called and nothing is charged. Without a prompt, standard input is read.'],
  arguments: { prompt: { kind: 'words', description: 'The prompt' } },
  options: {
    model: text('id', 'The auto-routing model (default turnpike/auto)'),
    system: text('text', 'A system prompt'),
  },
  fields: routeFields,
  examples: [
    { does: 'Explain a decision', line: 'turnpike route "Prove that there are infinitely many primes"' },
    { does: 'For a prompt in a file', line: 'turnpike route < prompt.txt' },
  ],
  async run(context, { prompt, model, system }) {
    const content = prompt.length > 0 ? prompt.join(' ') : context.input.isTTY ? '' : await readAll(context)
    if (content.trim() === '') throw badInput('Expected a prompt: turnpike route "…"', 'prompt')
    const messages = [
      ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
      { role: 'user' as const, content },
    ]
    const decision = await routeFor(context, { model, messages })
    return record(decision, (screen) => decisionText(decision, screen))
  },
})
