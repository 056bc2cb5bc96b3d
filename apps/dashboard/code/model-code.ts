import type { Schemas } from '../api/client.ts'
import { apiNames, apis, type Api, type ApiName, type Language } from '../pages/playground/code/apis.ts'
import type { Body } from '../pages/playground/code/bodies/body.ts'
import { keyVariable, type CodeRequest } from '../pages/playground/code/code-request.ts'
import { literal } from '../pages/playground/code/literal.ts'
import { bearer, curl } from '../pages/playground/code/sdks/curl.ts'
import { openaiPython, openaiTypeScript } from '../pages/playground/code/sdks/openai.ts'

/*
 * Code for a first request to a model, one sample per API that serves it. For text, the playground shows
 * the code; this file has embeddings, rerankings and moderations.
 */

type Endpoint = Schemas['ModelProviders']['endpoints'][number]

export interface ModelCode {
  /** The API's official name. */
  name: string
  endpoint: Endpoint
  code: Record<Language, string>
}

const question = 'Why is the sky blue?'
const documents = ['The sky is blue by scattered light.', 'Toll roads are older than asphalt.']

const endpointOfApi: Record<ApiName, Endpoint> = {
  chat: 'chat.completions',
  messages: 'messages',
  responses: 'responses',
  gemini: 'generate_content',
  completions: 'completions',
}

type Code = Api['code']

/** @param origin the gateway's origin: `https://llm.example.com` */
export function modelCode(model: string, endpoints: readonly Endpoint[], origin: string): ModelCode[] {
  const request: CodeRequest = {
    origin,
    model,
    system: '',
    turns: [{ role: 'user', text: question }],
    tags: [],
  }
  const answering = apiNames.map((name) => ({ endpoint: endpointOfApi[name], api: apis[name] as Api }))
  const all = [...answering, ...others]
  return all
    .filter(({ endpoint }) => endpoints.includes(endpoint))
    .map(({ endpoint, api }) => ({ name: api.name, endpoint, code: writeCode(api.code, request) }))
}

function writeCode({ curl: shell, Python, TypeScript }: Code, request: CodeRequest): ModelCode['code'] {
  return { curl: shell(request), Python: Python(request), TypeScript: TypeScript(request) }
}

/** Code for one of OpenAI's APIs, with its SDKs. */
function ofOpenai(path: string, method: string, bodyOf: (model: string) => Body, answer: string): Code {
  return {
    curl: ({ origin, model }) => curl(`${origin}/v1/${path}`, [bearer], bodyOf(model)),
    Python: (request) => openaiPython(request, { method, body: bodyOf(request.model), answer }),
    TypeScript: (request) => openaiTypeScript(request, { method, body: bodyOf(request.model), answer }),
  }
}

function rerankBody(model: string): Body {
  return { model, query: question, documents }
}

/** Cohere's SDKs use another path than most vendors that copied the API. */
const rerank: Code = {
  curl: ({ origin, model }) => curl(`${origin}/v1/rerank`, [bearer], rerankBody(model)),
  Python: ({ origin, model }) => `# pip install httpx
import os
import httpx

answer = httpx.post(
    "${origin}/v1/rerank",
    headers={"Authorization": f"Bearer {os.environ['${keyVariable}']}"},
    json=${literal(rerankBody(model), 'python', 1)},
)
print(answer.raise_for_status().json()["results"])`,
  TypeScript: ({ origin, model }) => `const response = await fetch('${origin}/v1/rerank', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.${keyVariable}}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${literal(rerankBody(model), 'typescript', 1)}),
})
console.log(await response.json())`,
}

const others: { endpoint: Endpoint; api: Pick<Api, 'name' | 'code'> }[] = [
  {
    endpoint: 'embeddings',
    api: {
      name: 'Embeddings',
      code: ofOpenai(
        'embeddings',
        'embeddings.create',
        (model) => ({ model, input: question }),
        'data[0].embedding',
      ),
    },
  },
  { endpoint: 'rerank', api: { name: 'Rerank', code: rerank } },
  {
    endpoint: 'moderations',
    api: {
      name: 'Moderations',
      code: ofOpenai(
        'moderations',
        'moderations.create',
        (model) => ({ model, input: question }),
        'results[0].flagged',
      ),
    },
  },
]
