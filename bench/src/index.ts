export { usualIntegration } from '../peers/usual-integration.js';
export type { UsualSettings } from '../peers/usual-integration.js';
