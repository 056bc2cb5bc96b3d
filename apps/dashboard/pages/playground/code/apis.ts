import { chatBody } from './bodies/chat.ts'
import { completionsBody, misfitOfCompletions } from './bodies/completions.ts'
import { misfitOfGemini } from './bodies/gemini.ts'
import { messagesBody, misfitOfMessages } from './bodies/messages.ts'
import { responsesBody } from './bodies/responses.ts'
import { keyVariable, type CodeRequest } from './code-request.ts'
import { anthropicPython, anthropicTypeScript } from './sdks/anthropic.ts'
import { bearer, curl, googleCurl } from './sdks/curl.ts'
import { googlePython, googleTypeScript } from './sdks/google.ts'
import { openaiPython, openaiTypeScript } from './sdks/openai.ts'

export const languages = ['curl', 'Python', 'TypeScript'] as const
export type Language = (typeof languages)[number]

/** An API of the gateway, and the code that calls it with the vendor's clients. */
export interface Api {
  name: string
  code: Record<Language, (request: CodeRequest) => string>
  /** Why the API cannot express the request; undefined if it can. */
  misfit?: (request: CodeRequest) => string | undefined
}

/** In the order in which they are offered. */
export const apis = {
  chat: {
    name: 'Chat completions',
    code: {
      curl: (request) => curl(`${request.origin}/v1/chat/completions`, [bearer], chatBody(request)),
      Python: (request) => openaiPython(request, chatCall(request)),
      TypeScript: (request) => openaiTypeScript(request, chatCall(request)),
    },
  },
  messages: {
    name: 'Messages',
    misfit: misfitOfMessages,
    code: {
      curl: (request) => curl(`${request.origin}/v1/messages`, messagesHeaders, messagesBody(request)),
      Python: anthropicPython,
      TypeScript: anthropicTypeScript,
    },
  },
  responses: {
    name: 'Responses',
    code: {
      curl: (request) => curl(`${request.origin}/v1/responses`, [bearer], responsesBody(request)),
      Python: (request) => openaiPython(request, responsesCall(request)),
      TypeScript: (request) => openaiTypeScript(request, responsesCall(request)),
    },
  },
  gemini: {
    name: 'Gemini',
    misfit: misfitOfGemini,
    code: { curl: googleCurl, Python: googlePython, TypeScript: googleTypeScript },
  },
  completions: {
    name: 'Completions',
    misfit: misfitOfCompletions,
    code: {
      curl: (request) => curl(`${request.origin}/v1/completions`, [bearer], completionsBody(request)),
      Python: (request) => openaiPython(request, completionsCall(request)),
      TypeScript: (request) => openaiTypeScript(request, completionsCall(request)),
    },
  },
} satisfies Record<string, Api>

export type ApiName = keyof typeof apis
export const apiNames = Object.keys(apis) as ApiName[]

const messagesHeaders = [`x-api-key: $${keyVariable}`, 'anthropic-version: 2023-06-01']

function chatCall(request: CodeRequest) {
  const answer = request.tools === undefined ? 'choices[0].message.content' : 'choices[0].message'
  return { method: 'chat.completions.create', body: chatBody(request), answer }
}

function responsesCall(request: CodeRequest) {
  const answer = request.tools === undefined ? 'output_text' : 'output'
  return { method: 'responses.create', body: responsesBody(request), answer }
}

function completionsCall(request: CodeRequest) {
  return { method: 'completions.create', body: completionsBody(request), answer: 'choices[0].text' }
}
