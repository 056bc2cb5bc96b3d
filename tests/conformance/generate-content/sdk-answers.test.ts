import { ApiError, FunctionCallingConfigMode, GoogleGenAI, type Candidate, type Content } from '@google/genai'
import { describe, expect, test } from 'vitest'
import { startFeatureNode } from '../messages/sdk/feature-node.ts'
import { called, said, usage } from '../messages/sdk/feature-vendor.ts'
import { plainScript, streamScript } from '../vendors/scripted/scripted-answer.ts'
import { modelOf, styleNames, styles, type StyleName } from '../vendors/scripted/styled-vendor.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/** Rarely used features of `@google/genai`, with a vendor of each style. */

const world = await suiteWorld(startFeatureNode())
const client = new GoogleGenAI({ apiKey: world.key.raw, httpOptions: { baseUrl: world.node.origin } })

const declaration = {
  name: 'get_weather',
  parametersJsonSchema: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
}
const tools = [{ functionDeclarations: [declaration] }]
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

async function thrownBy(answered: Promise<unknown>): Promise<ApiError> {
  const thrown = await answered.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (thrown instanceof ApiError) return thrown
  throw new Error(`the SDK threw no ApiError: ${String(thrown)}`)
}

describe.each(styleNames)('with a vendor of the style %s', (style) => {
  const model = modelOf(style)

  test('offers functions in the mode VALIDATED', async () => {
    const marker = '[[tool validated]]'
    const { functionCalls } = await client.models.generateContent({
      model,
      contents: `${marker} How is the weather?`,
      config: {
        tools,
        maxOutputTokens: 4_000,
        toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.VALIDATED } },
      },
    })
    expect(functionCalls).toMatchObject([{ name: called.name, args: called.arguments }])
    const sent = JSON.stringify(world.asked(style, marker).at(-1))
    expect(sent.includes('VALIDATED')).toBe(style === 'google')
    // The mode forces no vendor's model to call one.
    expect(sent).not.toMatch(/"(?:required|any|ANY)"\}?,?"?tool|"tool_choice":"(?:required|any)"/u)
  })

  test("accepts a picture as a function's result", async () => {
    const marker = '[[text pictured]]'
    const contents: Content[] = [
      { role: 'user', parts: [{ text: `${marker} Draw it.` }] },
      { role: 'model', parts: [{ functionCall: { name: called.name, args: called.arguments } }] },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              name: called.name,
              response: { result: 'drawn' },
              parts: [{ inlineData: { mimeType: 'image/png', data: picture } }],
            },
          },
        ],
      },
    ]
    const asked = client.models.generateContent({
      model,
      contents,
      config: { tools, maxOutputTokens: 4_000 },
    })
    const outcome = await asked.then(
      ({ text }) => text,
      (error: unknown) => error,
    )
    if (outcome instanceof ApiError) {
      expect([outcome.status, seesPictures(style)]).toEqual([400, false])
      return expect(outcome.message).toContain('contents[2].parts[0]')
    }
    expect(outcome).toBe(said)
    const sent = JSON.stringify(world.asked(style, marker).at(-1))
    for (const expected of [picture, 'drawn']) expect(sent).toContain(expected)
  })

  test.each(['plain', 'streamed'])('returns two candidates, %s', async (way) => {
    const config = { candidateCount: 2, maxOutputTokens: 4_000 }
    const ask = { model, contents: 'Say one of two.', config }
    if (!givesSeveral(style)) {
      const { status, message } = await thrownBy(client.models.generateContent(ask))
      expect([status, message]).toEqual([400, expect.stringContaining('candidateCount')])
      return
    }
    const answers = ['One.', 'Two.'].map((text) => ({ text, usage }))
    const { says } = styles[style]
    const texts: string[] = []
    const say = (candidates: readonly Candidate[] = []): void => {
      for (const { index = 0, content } of candidates)
        texts[index] = (texts[index] ?? '') + (content?.parts ?? []).map(({ text = '' }) => text).join('')
    }
    if (way === 'plain') {
      world.vendor.next({ script: plainScript(says, ...answers) })
      say((await client.models.generateContent(ask)).candidates)
    } else {
      world.vendor.next({ script: streamScript(says, ...answers) })
      for await (const { candidates } of await client.models.generateContentStream(ask)) say(candidates)
    }
    expect(texts).toEqual(['One.', 'Two.'])
  })
})

function seesPictures(style: StyleName): boolean {
  return style !== 'deepseek' && style !== 'mistral' && style !== 'cohere'
}

function givesSeveral(style: StyleName): boolean {
  return style === 'google' || style === 'openai' || style === 'mistral'
}
