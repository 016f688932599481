import './cripple.js';
import './original-lockstep-project-lock-worker.js';
