export { splicePlain as spliceRequest } from '../../requests/splice-plain.ts'
