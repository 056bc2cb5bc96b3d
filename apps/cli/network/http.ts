import { request } from 'node:http'
import { sendingBy } from './direct.ts'

export const sendByHttp = sendingBy(request)
