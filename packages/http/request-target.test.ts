import { expect, test } from 'vitest'
import { readTarget } from './request-target.ts'

test.each([
  ['/', '/'],
  ['/?a=b', '/?a=b'],
  ['/oidc/device', '/oidc/device'],
  ['/oidc/device?user_code=A%2DB&x=//y', '/oidc/device?user_code=A%2DB&x=//y'],
  ['/oidc/%64evice', '/oidc/device'],
  ['/%6fidc/%64%65vice?a', '/oidc/device?a'],
  ['/oidc/device/auth/', '/oidc/device/auth/'],
  ['/.well-known/x', '/.well-known/x'],
  ['/v1/models/openai%2fgpt-4o', '/v1/models/openai%2Fgpt-4o'],
  ['/v1/models/a%3Afree', '/v1/models/a%3Afree'],
  ['/v1/models/a:free', '/v1/models/a:free'],
  ['/oidc/%2564evice', '/oidc/%2564evice'],
  ['/v1/models/caf%C3%A9', '/v1/models/caf%C3%A9'],
])('%s is %s', (target, url) => expect(readTarget(target)).toEqual({ authority: undefined, url }))

test.each([
  '//oidc/device',
  '/oidc//token',
  '/oidc/./token',
  '/oidc/../oidc/token',
  '/oidc/%2e/token',
  '/oidc/x/%2E%2e/token',
  '/oidc/token/..',
  '/oidc/token/.',
  '/oidc/token//',
  '/oidc\\device',
  '/oidc/device;x=1',
  '/oidc/device#x',
  '/oidc/dev%ice',
  '/oidc/device%2',
  '/oidc/\u0000device',
  '/oidc/d\u00e9vice',
  'oidc/device',
  '*',
  '',
  'ftp://gateway/oidc/device',
])('"%s" matches nothing', (target) => expect(readTarget(target).url).toBeUndefined())

test.each([
  ['http://gateway:8787/oidc/%64evice?a', 'gateway:8787', '/oidc/device?a'],
  ['HTTPS://gateway', 'gateway', '/'],
  ['http://gateway?a', 'gateway', '/?a'],
  ['http://user@gateway//oidc/token', 'user@gateway', undefined],
  ['http:///oidc/token', '', '/oidc/token'],
])('%s names its host', (target, authority, url) => expect(readTarget(target)).toEqual({ authority, url }))
