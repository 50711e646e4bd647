# One image for every process of the site; compose.yaml says which one runs what.
FROM python:3.13-slim
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 DJANGO_SETTINGS_MODULE=config.settings
WORKDIR /app
COPY requirements.lock ./
RUN pip install --no-cache-dir --require-hashes --only-binary :all: -r requirements.lock
COPY . ./
# Fonts, messages and static files are made here, so that a container starts at once.
RUN BONEYARD_VAR=/tmp/build python manage.py prepare \
    && useradd --system --create-home boneyard \
    && mkdir /data && chown boneyard /data
USER boneyard
ENV BONEYARD_VAR=/data BONEYARD_LOG_FORMAT=json
EXPOSE 8000
CMD ["daphne", "-b", "0.0.0.0", "-p", "8000", "-v", "0", "--no-server-name", \
     "--websocket-max-message-size", "262144", "--websocket-max-frame-size", "16384", \
     "--websocket_timeout", "-1", "--application-close-timeout", "5", "config.asgi:application"]
