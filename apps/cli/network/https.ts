import { request } from 'node:https'
import { sendingBy } from './direct.ts'

export const sendByHttps = sendingBy(request)
