export interface BannerFacts {
  version: string
  /** Without a trailing slash. */
  publicUrl: string
  /** As displayed, so preferably relative to the working directory. */
  dataDir: string
  /** `SQLite` or `PostgreSQL`. */
  database: string
  /** Number of worker processes. */
  workers: number
  /** The configuration file; null if there is none. */
  file: string | null
  providers: readonly string[]
  /** The key to paste; undefined without a demo account. */
  demoKey: string | undefined
  /** Whether the sandbox, which needs no vendor's key, is available. */
  hasSandbox: boolean
  /** A model of a real vendor whose key is configured. */
  vendorModel: string | undefined
  /** The file of the admin endpoints' generated secret; undefined if the secret is configured. */
  internalSecretFile: string | undefined
  warnings: readonly string[]
}

const keyPlaceholder = '<your API key>'

/** The text that is printed once the server listens: how to make the first request, and where things are. */
export function banner(facts: BannerFacts): string {
  const baseUrl = `${facts.publicUrl}/v1`
  const model = facts.hasSandbox ? 'sandbox/echo' : facts.vendorModel
  const sections = [
    `Turnpike ${facts.version} is ready at ${baseUrl}`,
    model === undefined ? undefined : firstRequest(baseUrl, facts.demoKey ?? keyPlaceholder, model),
    facts.hasSandbox && facts.vendorModel !== undefined
      ? `  To use a real model, request "${facts.vendorModel}".`
      : undefined,
    placesOf(facts),
    facts.warnings.length === 0 ? undefined : facts.warnings.map((line) => `  ! ${line}`).join('\n'),
  ]
  return `\n${sections.filter((section) => section !== undefined).join('\n\n')}\n\n`
}

function firstRequest(baseUrl: string, key: string, model: string): string {
  return `  First request, with curl:

    curl ${baseUrl}/chat/completions \\
      -H "authorization: Bearer ${key}" \\
      -H "content-type: application/json" \\
      -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello!"}]}'

  With the openai package:

    import OpenAI from 'openai'

    const client = new OpenAI({
      baseURL: '${baseUrl}',
      apiKey: '${key}',
    })
    const stream = await client.chat.completions.create({
      model: '${model}',
      messages: [{ role: 'user', content: 'Hello!' }],
      stream: true,
    })
    for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta?.content ?? '')`
}

function placesOf(facts: BannerFacts): string {
  const rows: [string, string][] = [
    ['Dashboard', facts.publicUrl],
    [
      'Providers',
      facts.providers.length === 0 ? 'none: add some in turnpike.yaml' : facts.providers.join(', '),
    ],
    ['Data', `${facts.dataDir} (${facts.database})`],
    ...(facts.workers > 1 ? [['Workers', String(facts.workers)] as [string, string]] : []),
    ['Configuration', facts.file ?? 'defaults; see docs/configuration.md for all settings'],
  ]
  if (facts.internalSecretFile !== undefined) rows.push(['Admin secret', facts.internalSecretFile])
  rows.push(['Stop', 'Ctrl-C'])
  return rows.map(([name, value]) => `  ${name.padEnd(14)} ${value}`).join('\n')
}
