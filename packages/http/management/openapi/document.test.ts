import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { suiteFullServer } from '../testing/full-server.ts'
import type { DocumentedOperation, MediaType, OpenapiDocument } from './document-types.ts'
import { operationAt, operationNames } from './operation-table.ts'

/** Pages for people, which need no description, and routes that are described at a shorter path. */
const apart =
  /^\/((sandbox-)?checkout|confirm-address|unsubscribe|pay)\/|^\/\.well-known\/oauth-protected-resource\/./
/** A preflight request of browsers is not an operation. */
const isDescribed = ({ method, path }: { method: string; path: string }): boolean =>
  method !== 'OPTIONS' && !apart.test(path)

const server = await suiteFullServer()
const text = (await server.call('GET', '/openapi.json', { secret: null })).text
const document = JSON.parse(text) as OpenapiDocument

function operations(): DocumentedOperation[] {
  return Object.values(document.paths).flatMap((item) => Object.values(item))
}

describe('every route', () => {
  test('is described', () => {
    const missing = server.routes.filter(
      (route) => isDescribed(route) && !operationAt(route.method, route.path),
    )
    expect(missing).toEqual([])
  })

  test('is in the document under its method and path', () => {
    const told = server.routes
      .filter((route) => route.method !== 'HEAD' && isDescribed(route))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    const documented = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(documented.filter((one) => !/ \/v1(?:beta)?\//.test(one)).sort()).toEqual(told.sort())
  })

  test('has texts, and every described operation exists', () => {
    for (const operation of operations()) {
      expect(operation.description.length, operation.operationId).toBeGreaterThan(10)
      expect(operation.summary.length, operation.operationId).toBeGreaterThan(3)
    }
    const used = server.routes.map(({ method, path }) => operationAt(method, path)?.action)
    expect(operationNames.filter((name) => !used.includes(name))).toEqual([])
  })

  test('that changes something is audited, unless its caller is unknown', () => {
    const silent = server.routes
      .filter((route) => !['GET', 'HEAD'].includes(route.method) && isDescribed(route))
      .filter(({ method, path }) => operationAt(method, path)?.audited !== true)
    expect(silent).toEqual([
      { method: 'POST', path: '/webhooks/stripe' },
      // The device's own side; the person's decision is audited.
      { method: 'POST', path: '/oauth/device_authorization' },
      { method: 'POST', path: '/oauth/token' },
      { method: 'POST', path: '/oauth/revoke' },
      // Changes nothing: it takes a body because a question may be long.
      { method: 'POST', path: '/api/v1/route' },
      // Likewise: a code must not be part of a URL.
      { method: 'POST', path: '/api/v1/organization-invitations/preview' },
    ])
  })
})

describe('the document', () => {
  test('passes the linter', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      // An open page without parameters has no error responses.
      rules: { 'operation-4xx-response': 'off' },
    })
    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
    const told = problems.map(
      ({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer} ${message}`,
    )
    expect(told).toEqual([])
  })

  test('has examples that fit their schemas', () => {
    const ajv = new Ajv2020({ strict: false })
    ajv.addSchema(document, 'openapi')
    const misfits: string[] = []
    const check = (name: string, pointer: string, media: MediaType): void => {
      const examples = Object.values(media.examples ?? {}).map(({ value }) => value)
      if (media.example !== undefined) examples.push(media.example)
      if (examples.length === 0) misfits.push(`${name} has no example`)
      for (const example of examples) {
        if (ajv.validate({ $ref: `openapi#${pointer}` }, example)) continue
        misfits.push(`${name} ${ajv.errorsText()}`)
      }
    }
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        const root = `/paths/${escapedPointer(path)}/${method}`
        for (const [type, media] of Object.entries(operation.requestBody?.content ?? {}))
          check(`${method} ${path}`, `${root}/requestBody/content/${escapedPointer(type)}/schema`, media)
        for (const [status, response] of Object.entries(operation.responses)) {
          if ('$ref' in response) continue
          for (const [type, media] of Object.entries(response.content ?? {}))
            check(
              `${method} ${path} ${status}`,
              `${root}/responses/${status}/content/${escapedPointer(type)}/schema`,
              media,
            )
        }
      }
    }
    for (const [name, { content }] of Object.entries(document.components.responses)) {
      const root = `/components/responses/${name}/content`
      check(name, `${root}/${escapedPointer('application/json')}/schema`, content!['application/json']!)
    }
    expect(misfits).toEqual([])
  })

  test('lists each operation once, and each error as a component', () => {
    const names = operations().map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
    for (const { operationId, responses } of operations()) {
      const errors = Object.entries(responses).filter(([status]) => /^[45]/.test(status))
      expect(errors.length, operationId).toBeGreaterThan(1)
      for (const [status, response] of errors)
        expect(response, `${operationId} ${status}`).toHaveProperty('$ref')
    }
  })

  test('lists no secret among the fields that the audit log records', () => {
    const suspicious = operations().flatMap(({ operationId, requestBody }) => {
      const schema = requestBody?.content['application/json']?.schema
      const names = Object.keys(schema?.['properties'] ?? {})
      return names
        .filter((name) => /\braw\b|_raw|secret|password|token|code/.test(name) && name !== 'postal_code')
        .map((name) => `${operationId} ${name}`)
    })
    // `actionDetails` drops fields with these names.
    expect(suspicious.filter((one) => !/password$| secret$/.test(one))).toEqual([
      // These operations are `personal`: their fields are not recorded.
      'setForgottenPassword code',
      'verifyEmail code',
      'previewOrganizationInvitation code',
      'acceptOrganizationInvitation code',
    ])
  })

  test("names the subject's field after the configured provider", async () => {
    expect(text).toContain('"oidc_sub"')
  })
})

describe.each(['/openapi.json', '/docs', '/llms.txt'])('%s', (path) => {
  test('is open, and 304 while nothing has changed', async () => {
    const first = await server.call('GET', path, { secret: null })
    expect(first.status).toBe(200)
    // The encoding differs by caller, which caches must know even for an uncompressed response or a 304 (RFC
    // 9110, section 15.4.5).
    expect(first.headers.get('vary')).toBe('accept-encoding')
    const tag = first.headers.get('etag')!
    for (const header of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
      const again = await server.call('GET', path, { secret: null, headers: { 'if-none-match': header } })
      expect([header, again.status, again.text, again.headers.get('etag')]).toEqual([header, 304, '', tag])
      expect(again.headers.get('vary')).toBe('accept-encoding')
    }
    const changed = await server.call('GET', path, { secret: null, headers: { 'if-none-match': '"other"' } })
    expect(changed.status).toBe(200)
    expect((await server.call('HEAD', path, { secret: null })).headers.get('etag')).toBe(tag)
  })
})

function escapedPointer(text: string): string {
  return encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))
}
