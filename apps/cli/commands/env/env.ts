import { apiKeyFor } from '../../api/key-api.ts'
import { record } from '../../output/result.ts'
import { command, text } from '../../program/command.ts'

export default command({
  details: [
    'Prints two lines, the API key and the base URL. The key is --key, else TURNPIKE_API_KEY, else ' +
      'the cached one.',
  ],
  options: { key: text('api-key', 'The API key to print') },
  fields: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  examples: [
    { does: 'Set them in this shell', line: 'export $(turnpike env)' },
    { does: 'Write them to a file', line: 'turnpike env >> .env' },
  ],
  async run(context, { key }) {
    const variables = {
      OPENAI_API_KEY: await apiKeyFor(context, key),
      OPENAI_BASE_URL: `${context.apiUrl}/v1`,
    }
    return record(variables, () =>
      Object.entries(variables)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    )
  },
})
